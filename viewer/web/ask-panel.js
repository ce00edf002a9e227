// What the bot sees: the chain that the field promises, and the placements it weighed.

import { grouped, make, say } from "./dom.js";
import { ask } from "./engine.js";
import { columnIcon } from "./strip.js";

export class AskPanel {
  // `board`: where proposals and chains are shown; `back`: shows the game again;
  // `play`: plays a placement, if the game is one by hand.
  constructor(box, board, { back, play }) {
    this.board = board;
    this.back = back;
    this.play = play;
    this.scenes = null;
    box.classList.add("ask");
    this.toggle = make("button", { "aria-pressed": "false", onclick: () => this.set(!this.on) }, "Ask the bot");
    this.text = make("p", { className: "say" });
    this.chainText = make("p", { className: "say", "aria-live": "polite" });
    const walk = (label, by) => make("button", { onclick: () => this.walk(by) }, label);
    this.walkBox = make("div", { className: "acts" }, walk("‹ back", -1), walk("on ›", 1),
      make("button", { onclick: () => this.leave() }, "Back to the game"));
    this.show = make("button", { onclick: () => this.chain() }, "Show this chain step by step");
    this.rows = make("tbody");
    const head = make("tr", null, ...["Placement", "Now", "Waiting", "Value"].map((text) =>
      make("th", { scope: "col" }, text)));
    this.body = make("div", { hidden: true }, this.text, make("div", { className: "acts" }, this.show),
      this.chainText, this.walkBox,
      make("div", { className: "scroll", tabIndex: 0, role: "region", "aria-label": "Placements by value" },
        make("table", null, make("caption", { className: "unseen" }, "Placements by their value to the bot"),
          make("thead", null, head), this.rows)),
      make("p", { className: "hint" }, "Points · steps: paid now, and of the chain that then waits. The bot orders positions by value, and looks further ahead than this."));
    this.walkBox.hidden = this.chainText.hidden = true;
    box.append(make("h2", null, "The bot's view", this.toggle), this.body);
    this.on = false;
  }

  set(on) {
    this.on = on;
    this.toggle.setAttribute("aria-pressed", String(on));
    this.toggle.textContent = on ? "Close" : "Ask the bot";
    this.body.hidden = !on;
    this.key = null;
    if (!on) this.leave();
    else this.back();
  }

  // Called for every frame; asks only when the position is another one.
  update(game, turn, palette, chosen) {
    this.leave(false);
    const key = `${game}/${turn}/${JSON.stringify(chosen)}`;
    if (!this.on || key === this.key) return;
    this.key = key;
    Object.assign(this, { game, turn });
    const sight = ask("sight", { game, turn });
    this.sight = sight;
    say(this.text, sight?.text ?? "");
    if (sight?.chance) this.text.append(" ", columnIcon(sight.chance.colour, palette, 20));
    this.show.disabled = !sight?.chance;
    this.rows.replaceChildren(...(sight?.placements ?? []).map((weighed) => this.row(weighed, palette, chosen)));
    this.rows.querySelector(".chosen")?.scrollIntoView({ block: "nearest" });
  }

  row(weighed, palette, chosen) {
    const { stack, shift, column, points, steps, chance_points, chance_steps, value } = weighed;
    const mine = chosen && chosen.stack === stack && chosen.column === column;
    const look = () => this.propose(weighed);
    const end = () => this.propose(null);
    const act = () => (this.play ? this.play(stack, shift) : look());
    const label = `position ${stack + 1}, ${column}${this.play ? ", play it" : ", show it"}`;
    return make("tr", { className: mine ? "chosen" : "", onmouseenter: look, onmouseleave: end, onfocusin: look, onfocusout: end },
      make("td", null, make("button", { onclick: act, "aria-label": label }, `${stack + 1}`, columnIcon(column, palette)),
        mine ? make("span", { title: "played" }, "✓", make("span", { className: "unseen" }, " played")) : ""),
      make("td", null, points ? `${grouped(points)}${steps > 1 ? ` · ${steps}` : ""}` : "–"),
      make("td", null, chance_points ? `${grouped(chance_points)} · ${chance_steps}` : "–"),
      make("td", null, grouped(value)));
  }

  get trigger() {
    return this.on && !this.scenes ? this.sight?.chance ?? null : null;
  }

  propose(weighed) {
    if (this.scenes || !this.board.frame) return;
    const extra = { trigger: this.trigger };
    if (weighed) {
      extra.propose = weighed;
      delete extra.trigger;
    }
    this.board.show(frameOf(this.board), 0, extra);
  }

  chain() {
    this.scenes = ask("chain", { game: this.game, turn: this.turn });
    this.scene = 0;
    this.walkBox.hidden = this.chainText.hidden = false;
    this.show.hidden = true;
    this.walk(0);
  }

  walk(by) {
    this.scene = Math.min(this.scenes.length - 1, Math.max(0, this.scene + by));
    const scene = this.scenes[this.scene];
    say(this.chainText, scene.text);
    const kind = scene.matches.length ? "marked" : "settled";
    const [trigger] = this.scene === 0 ? scene.marked : [];
    this.board.show({ ...scene, kind, marked: scene.matches.length ? scene.marked : [] }, by ? 160 : 0,
      trigger ? { group: [trigger] } : {});
  }

  // Ends the walk through a chain.
  leave(show = true) {
    if (!this.scenes) return;
    this.scenes = null;
    this.walkBox.hidden = this.chainText.hidden = true;
    this.show.hidden = false;
    if (show) this.back();
  }
}

function frameOf(board) {
  return { ...board.frame, falls: [] };
}
