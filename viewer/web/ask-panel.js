// The bot's view: its recommendation and line, the chain that is ready, and the placements by
// value.

import { bot } from "./bot.js";
import { grouped, make, refill, setText } from "./dom.js";
import { ask } from "./engine.js";
import { Scenes } from "./scenes.js";
import { columnIcon } from "./strip.js";

// Number of placements listed at first, besides the played and the recommended one.
const FIRST = 6;
// Budget of a search in states, for each column that it looks ahead.
const NODES = 500;

// Searches `ahead` columns after the placements of a plan. Resolves to the recommendation, or to
// null at the end of a game.
export function advice(text, plan, ahead) {
  return bot.think("hint", { case: text, plan, ahead, nodes: NODES * ahead });
}

export class AskPanel {
  // `board`: shows proposals and chains; `controls`: the element below the board, which the buttons
  // for a chain replace; `back()`: shows the game again; `play(stack, shift)`: plays a placement in
  // a game that is played by hand; `text()`: returns the case; `line(advice, turn)`: compares the
  // recommended line with the game.
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
      { className: "main", onclick: () => this.advice && line(this.advice, this.turn) },
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
      ...["Placement", "Now", "Ready", "Value"].map((text) => make("th", { scope: "col" }, text)),
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
        make("caption", { className: "unseen" }, "Placements by the bot's value"),
        make("thead", null, head),
        this.rows,
      ),
      make("div", { className: "acts" }, this.more),
      make(
        "details",
        { className: "hint" },
        make("summary", null, "How to read this"),
        "Placements by value, best first. Value is the bot's estimate in points: the points won " +
          "now plus the value of the field afterwards. Now shows points · steps of the chain that " +
          "this column sets off; Ready shows the same for the best chain that is ready afterwards. The " +
          "search looks further ahead than this list, so it may recommend another placement.",
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
    // On narrow screens, the class `asked` keeps the board in view.
    this.board.box.parentElement.classList.toggle("asked", on);
    this.key = null;
    if (!on) this.leave();
    this.back();
    const block = matchMedia("(max-width: 44rem)").matches ? "start" : "nearest";
    if (on) this.body.parentElement.scrollIntoView({ block });
  }

  // Called for every frame. Queries the engine only if the position has changed.
  update(game, turn, palette, chosen) {
    this.leave(false);
    const key = `${game}/${turn}/${JSON.stringify(chosen)}`;
    if (!this.on || key === this.key) return;
    this.key = key;
    // The recommendation stays valid if only the chosen placement changes.
    if (game !== this.game || turn !== this.turn) this.advice = null;
    Object.assign(this, { game, turn, palette, chosen });
    const evaluation = ask("evaluate", { game, turn });
    this.evaluation = evaluation;
    setText(this.text, evaluation?.text ?? "");
    if (evaluation?.chance) this.text.append(" ", columnIcon(evaluation.chance.colour, palette, 20));
    this.show.hidden = !evaluation?.chance;
    this.list(this.all);
    this.search();
  }

  // Starts the search once the position has not changed for 200 ms.
  async search() {
    const request = (this.request = {});
    this.line.hidden = true;
    if (!this.evaluation) return setText(this.answer, "The game is over.");
    setText(this.answer, "The bot is thinking …");
    await new Promise((done) => setTimeout(done, 200));
    if (request !== this.request || !this.on) return;
    try {
      const { game, turn } = this;
      const ahead = Math.min(1e4, Math.max(1, Math.floor(Number(this.ahead.value)) || 60));
      this.ahead.value = ahead;
      const result = await advice(this.caseText(), ask("plan", { game, turns: turn }), ahead);
      if (request !== this.request) return;
      this.advice = result;
      this.line.hidden = !result;
      this.list(this.all);
      setText(this.answer, result?.text ?? "No placement fits.");
    } catch (error) {
      if (request === this.request) setText(this.answer, error.message);
    }
  }

  list(all) {
    this.all = all;
    const placements = this.evaluation?.placements ?? [];
    const visible = placements.filter((weighed, i) => all || i < FIRST || this.played(weighed) || this.advised(weighed));
    refill(this.rows, ...visible.map((weighed) => this.row(weighed)));
    this.more.hidden = placements.length <= FIRST;
    setText(this.more, all ? "Show only the best" : `Show all ${placements.length}`);
  }

  played({ stack, column }) {
    return Boolean(this.chosen) && this.chosen.stack === stack && this.chosen.column === column;
  }

  // True for the recommended placement.
  advised({ stack, column }) {
    return Boolean(this.advice) && this.advice.stack === stack && this.advice.column === column;
  }

  row(weighed) {
    const { stack, shift, column, points, steps, chance_points, chance_steps, value } = weighed;
    const isPlayed = this.played(weighed);
    const preview = () => this.propose(weighed);
    const end = () => this.propose(null);
    const act = () => (this.play ? this.play(stack, shift) : preview());
    const label = `${this.play ? "Play" : "Show"} ${column} at position ${stack + 1}`;
    return make(
      "tr",
      {
        className: isPlayed ? "chosen" : "",
        onmouseenter: preview,
        onmouseleave: end,
        onfocusin: preview,
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
        isPlayed
          ? make("span", { title: "Played" }, "✓", make("span", { className: "unseen" }, " played"))
          : "",
      ),
      make("td", null, points ? `${grouped(points)}${steps > 1 ? ` · ${steps}` : ""}` : "–"),
      make("td", null, chance_points ? `${grouped(chance_points)} · ${chance_steps}` : "–"),
      make("td", null, grouped(value)),
    );
  }

  get trigger() {
    return this.on && !this.scenes ? (this.evaluation?.chance ?? null) : null;
  }

  propose(weighed) {
    if (this.scenes || !this.board.frame) return;
    const extra = weighed ? { propose: weighed } : { trigger: this.trigger };
    this.board.show({ ...this.board.frame, falls: [] }, 0, extra);
  }

  chain() {
    this.scenes = this.evaluation.chain;
    this.controls.hidden = true;
    this.controls.after(this.walkBox);
    this.show.hidden = true;
    this.walk.leave();
    this.walk.go(0);
    this.walkBox.scrollIntoView({ block: "nearest" });
  }

  // In the first scene, `marked` is the trigger; in the others, the cells to be cleared.
  showScene(scene, by) {
    setText(this.chainText, scene.text);
    const clears = scene.matches.length > 0;
    this.board.show(
      { ...scene, kind: clears ? "marked" : "settled", marked: clears ? scene.marked : [] },
      by === 1 ? 160 : 0,
      clears ? {} : { group: scene.marked },
    );
  }

  // Ends the walk through a chain. `show`: true to show the game again.
  leave(show = true) {
    if (!this.scenes) return;
    this.scenes = null;
    this.controls.hidden = false;
    this.walkBox.remove();
    this.show.hidden = !this.evaluation?.chance;
    if (show) this.back();
  }
}
