// The bot's recommendation and its line; the chain that is ready, and the placements by their value.

import { bot } from "./bot.js";
import { grouped, make, refill, say } from "./dom.js";
import { ask } from "./engine.js";
import { Scenes } from "./scenes.js";
import { columnIcon } from "./strip.js";

// The number of placements listed at first, besides those played and recommended.
const FIRST = 6;
// States that a search builds for each column of its depth.
const NODES = 500;

// Returns the recommendation after the placements of a plan, from a search of `ahead` columns; null
// at the end of a game.
export function advice(text, plan, ahead) {
  return bot.think("hint", { case: text, plan, ahead, nodes: NODES * ahead });
}

export class AskPanel {
  // `board`: where proposals and chains are shown; `controls`: what is below it, in whose place
  // the steps of a chain are walked through; `back`: shows the game again; `play`: plays a
  // placement, if the game is one by hand; `text`: the case; `line(found, turn)`: plays the line
  // that was found beside the game.
  constructor(box, board, controls, { back, play, text, line }) {
    Object.assign(this, { board, controls, back, play, caseText: text, scenes: null, all: false });
    box.classList.add("ask");
    this.toggle = make(
      "button",
      { "aria-pressed": "false", onclick: () => this.set(!this.on) },
      "Ask the bot",
    );
    this.answer = make("p", { className: "say", "aria-live": "polite" });
    this.ahead = make("input", { inputMode: "numeric", value: 60, onchange: () => this.search() });
    this.line = make(
      "button",
      { className: "main", onclick: () => this.found && line(this.found, this.turn) },
      "Compare its line with this game",
    );
    this.text = make("p", { className: "hint" });
    this.chainText = make("p", { className: "say", "aria-live": "polite" });
    const buttons = make("div");
    this.walk = new Scenes(buttons, () => this.scenes, (scene, by) => this.showScene(scene, by));
    buttons.append(make("button", { onclick: () => this.leave() }, "Back to the game"));
    this.walkBox = make("div", { className: "transport walk" }, this.chainText, buttons);
    this.show = make("button", { onclick: () => this.chain() }, "Show this chain step by step");
    this.rows = make("tbody");
    const head = make(
      "tr",
      null,
      ...["Placement", "Now", "Waiting", "Value"].map((text) => make("th", { scope: "col" }, text)),
    );
    this.more = make("button", { onclick: () => this.list(!this.all) });
    this.body = make(
      "div",
      { hidden: true },
      this.answer,
      make(
        "div",
        { className: "acts" },
        make("label", null, "Columns ahead ", this.ahead),
        this.line,
      ),
      this.text,
      make("div", { className: "acts" }, this.show),
      make(
        "table",
        null,
        make("caption", { className: "unseen" }, "Placements by their value to the bot"),
        make("thead", null, head),
        this.rows,
      ),
      make("div", { className: "acts" }, this.more),
      make(
        "details",
        { className: "hint" },
        make("summary", null, "How to read this"),
        "Placements by value, the best first. Value is what the bot orders positions by: " +
          "the points paid now and what the field is then worth. Now and Waiting are " +
          "points · steps, of this column and of the best chain that waits after it. The search " +
          "itself looks further ahead than this list, so it may play another one.",
      ),
    );
    box.append(make("h2", null, "The bot's view", this.toggle), this.body);
    this.on = false;
  }

  set(on) {
    this.on = on;
    this.toggle.setAttribute("aria-pressed", String(on));
    this.toggle.textContent = on ? "Close" : "Ask the bot";
    this.body.hidden = !on;
    // Beside it the board stays in view.
    this.board.box.parentElement.classList.toggle("asked", on);
    this.key = null;
    if (!on) this.leave();
    this.back();
    const block = matchMedia("(max-width: 44rem)").matches ? "start" : "nearest";
    if (on) this.body.parentElement.scrollIntoView({ block });
  }

  // Called for every frame; asks only when the position is another one.
  update(game, turn, palette, chosen) {
    this.leave(false);
    const key = `${game}/${turn}/${JSON.stringify(chosen)}`;
    if (!this.on || key === this.key) return;
    this.key = key;
    // Another placement of the same position leaves the recommendation as it is.
    if (game !== this.game || turn !== this.turn) this.found = null;
    Object.assign(this, { game, turn, palette, chosen });
    const sight = ask("sight", { game, turn });
    this.sight = sight;
    say(this.text, sight?.text ?? "");
    if (sight?.chance) this.text.append(" ", columnIcon(sight.chance.colour, palette, 20));
    this.show.hidden = !sight?.chance;
    this.list(this.all);
    this.search();
  }

  // Starts the search once the position has not changed for 200 ms.
  async search() {
    const mine = (this.asked = {});
    this.line.hidden = true;
    if (!this.sight) return say(this.answer, "The game is over.");
    say(this.answer, "The bot is thinking …");
    await new Promise((done) => setTimeout(done, 200));
    if (mine !== this.asked || !this.on) return;
    try {
      const { game, turn } = this;
      const ahead = Math.min(1e4, Math.max(1, Math.floor(Number(this.ahead.value)) || 60));
      this.ahead.value = ahead;
      const found = await advice(this.caseText(), ask("plan", { game, turns: turn }), ahead);
      if (mine !== this.asked) return;
      this.found = found;
      this.line.hidden = !found;
      this.list(this.all);
      say(this.answer, found?.text ?? "No placement fits.");
    } catch (error) {
      if (mine === this.asked) say(this.answer, error.message);
    }
  }

  list(all) {
    this.all = all;
    const placements = this.sight?.placements ?? [];
    const shown = placements.filter((weighed, i) => all || i < FIRST || this.played(weighed) || this.advised(weighed));
    refill(this.rows, ...shown.map((weighed) => this.row(weighed)));
    this.more.hidden = placements.length <= FIRST;
    say(this.more, all ? "Show the best only" : `Show all ${placements.length}`);
  }

  played({ stack, column }) {
    return Boolean(this.chosen) && this.chosen.stack === stack && this.chosen.column === column;
  }

  // The recommended placement.
  advised({ stack, column }) {
    return Boolean(this.found) && this.found.stack === stack && this.found.column === column;
  }

  row(weighed) {
    const { stack, shift, column, points, steps, chance_points, chance_steps, value } = weighed;
    const mine = this.played(weighed);
    const look = () => this.propose(weighed);
    const end = () => this.propose(null);
    const act = () => (this.play ? this.play(stack, shift) : look());
    const label = `Position ${stack + 1}, ${column}${this.play ? ", play it" : ", show it"}`;
    return make(
      "tr",
      {
        className: mine ? "chosen" : "",
        onmouseenter: look,
        onmouseleave: end,
        onfocusin: look,
        onfocusout: end,
      },
      make(
        "td",
        null,
        make(
          "button",
          { onclick: act, "aria-label": label },
          `${stack + 1}`,
          columnIcon(column, this.palette),
        ),
        this.advised(weighed) ? make("span", { className: "advised", title: "Recommended by the search" }, "Bot") : "",
        mine
          ? make("span", { title: "Played" }, "✓", make("span", { className: "unseen" }, " played"))
          : "",
      ),
      make("td", null, points ? `${grouped(points)}${steps > 1 ? ` · ${steps}` : ""}` : "–"),
      make("td", null, chance_points ? `${grouped(chance_points)} · ${chance_steps}` : "–"),
      make("td", null, grouped(value)),
    );
  }

  get trigger() {
    return this.on && !this.scenes ? (this.sight?.chance ?? null) : null;
  }

  propose(weighed) {
    if (this.scenes || !this.board.frame) return;
    const extra = weighed ? { propose: weighed } : { trigger: this.trigger };
    this.board.show({ ...this.board.frame, falls: [] }, 0, extra);
  }

  chain() {
    this.scenes = this.sight.chain;
    this.controls.hidden = true;
    this.controls.after(this.walkBox);
    this.show.hidden = true;
    this.walk.leave();
    this.walk.go(0);
    this.walkBox.scrollIntoView({ block: "nearest" });
  }

  // The first one has the trigger where the others have what is cleared.
  showScene(scene, by) {
    say(this.chainText, scene.text);
    const clears = scene.matches.length > 0;
    this.board.show(
      { ...scene, kind: clears ? "marked" : "settled", marked: clears ? scene.marked : [] },
      by === 1 ? 160 : 0,
      clears ? {} : { group: scene.marked },
    );
  }

  // Ends the walk through a chain.
  leave(show = true) {
    if (!this.scenes) return;
    this.scenes = null;
    this.controls.hidden = false;
    this.walkBox.remove();
    this.show.hidden = !this.sight?.chance;
    if (show) this.back();
  }
}
