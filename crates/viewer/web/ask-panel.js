// The panel "Ask the bot": the recommended placement with its line, the best chain of the position, and the
// placements by value.

import { button, byId, groupDigits, make, namedParts, refill, setText } from "./dom.js";
import { ask } from "./engine.js";
import { botWorker } from "./engine-worker.js";
import { columnIcon } from "./jewels.js";
import { findBestLine } from "./known-lines.js";
import { SceneStepper } from "./scenes.js";

// The number of best placements in the short list. The played and the recommended ones are always listed.
const SHORT_LIST_LENGTH = 6;

// True if two placements have the same result. `other` may be null or undefined.
const isSame = ({ stack, column }, other) => other?.stack === stack && other.column === column;

export class AskPanel {
  // `board`: shows proposals and chains. `controls`: the element below the board; the buttons for a chain
  // replace it. `back()`: shows the game again. `play(stack, shift)`: plays a placement in a game that the
  // user plays by hand; absent in Watch. `entry()`: returns the game in the library. `line(plan, turn)`:
  // compares the recommended line with the game.
  constructor(box, board, controls, { back, play, entry, line }) {
    Object.assign(this, { board, controls, back, play, entry, scenes: null, all: false });
    box.append(byId("ask-panel").content.cloneNode(true));
    Object.assign(this, namedParts(box));
    this.toggle.onclick = () => this.setOpen(!this.isOpen);
    this.line.onclick = () => line(this.advice.plan, this.turn);
    this.show.onclick = () => this.chain();
    this.more.onclick = () => this.list(!this.all);
    this.chainText = make("p.say", { "aria-live": "polite" });
    const buttons = make("div");
    this.stepper = new SceneStepper(buttons, () => this.scenes, (scene, by) => this.showScene(scene, by));
    buttons.append(button("Back to the game", () => this.leave()));
    this.stepperBox = make("div.card.transport.walk", this.chainText, buttons);
    this.isOpen = false;
  }

  setOpen(isOpen) {
    this.isOpen = isOpen;
    this.toggle.setAttribute("aria-pressed", String(isOpen));
    this.toggle.textContent = isOpen ? "Close" : "Ask the bot";
    this.body.hidden = !isOpen;
    // On narrow screens, the class `asked` keeps the board in view.
    this.board.box.parentElement.classList.toggle("asked", isOpen);
    this.invalidate();
    if (!isOpen) this.leave();
    this.back();
    const block = matchMedia("(max-width: 44rem)").matches ? "start" : "nearest";
    if (isOpen) this.body.parentElement.scrollIntoView({ block });
  }

  // Makes the next `update` ask the engine again, even for the same position.
  invalidate() {
    this.cacheKey = null;
  }

  // Updates the panel for a position, and stops showing a chain. Asks the engine only if the panel is open
  // and the position or the chosen placement has changed.
  update(game, turn, palette, chosen) {
    this.leave(false);
    const cacheKey = `${game}/${turn}/${JSON.stringify(chosen)}`;
    if (!this.isOpen || cacheKey === this.cacheKey) return;
    this.cacheKey = cacheKey;
    // The recommendation stays valid if only the chosen placement changes.
    if (game !== this.game || turn !== this.turn) this.advice = null;
    Object.assign(this, { game, turn, palette, chosen });
    const evaluation = ask("evaluate", { game, turn });
    this.evaluation = evaluation;
    setText(this.text, evaluation?.text ?? "");
    if (evaluation?.trigger) this.text.append(" ", columnIcon(evaluation.trigger.colour, palette, 20));
    this.show.hidden = !evaluation?.trigger;
    this.list(this.all);
    this.search();
  }

  // Starts the search when the position has not changed for 200 ms.
  async search() {
    const request = (this.request = {});
    this.line.hidden = true;
    if (!this.evaluation?.placements.length) return setText(this.answer, "The game is over.");
    setText(this.answer, "The bot is thinking …");
    await new Promise((done) => setTimeout(done, 200));
    if (request !== this.request || !this.isOpen) return;
    try {
      const { game, turn } = this;
      const plan = ask("plan", { game, turns: turn });
      const result = await findBestLine(botWorker, this.entry(), plan, turn);
      if (request !== this.request) return;
      this.advice = result;
      this.line.hidden = false;
      this.list(this.all);
      const isPlayed = isSame(result, this.chosen) && !this.play;
      setText(this.answer, isPlayed ? `${result.text} The game plays it, too.` : result.text);
    } catch (error) {
      if (request === this.request) setText(this.answer, error.message);
    }
  }

  list(all) {
    this.all = all;
    const placements = this.evaluation?.placements ?? [];
    const isListed = (one, i) =>
      all || i < SHORT_LIST_LENGTH || isSame(one, this.chosen) || isSame(one, this.advice);
    refill(this.rows, ...placements.filter(isListed).map((rated) => this.row(rated)));
    this.more.hidden = placements.length <= SHORT_LIST_LENGTH;
    setText(this.more, all ? "Show only the best" : `Show all ${placements.length}`);
  }

  row(rated) {
    const { stack, shift, column, points, steps, best_chain_points, best_chain_steps, value } = rated;
    const preview = () => this.propose(rated);
    const end = () => this.propose(null);
    const handlers = { onmouseenter: preview, onmouseleave: end, onfocusin: preview, onfocusout: end };
    // The second click of a double click may hit the row of the next column.
    const onclick = ({ detail }) => (this.play ? detail < 2 && this.play(stack, shift) : preview());
    const label = `${this.play ? "Play" : "Show"} ${column} at position ${stack + 1}`;
    const isChosen = isSame(rated, this.chosen);
    const first = [
      button([`${stack + 1}`, columnIcon(column, this.palette)], onclick, { "aria-label": label }),
      isSame(rated, this.advice) && make("span.advised", { title: "Recommended by the search" }, "Bot"),
      isChosen && make("span", { title: "Played" }, "✓", make("span.unseen", " played")),
    ];
    const now = points ? `${groupDigits(points)}${steps > 1 ? ` · ${steps}` : ""}` : "–";
    const ready = best_chain_points ? `${groupDigits(best_chain_points)} · ${best_chain_steps}` : "–";
    const cells = [first, now, ready, groupDigits(value)].map((content) => make("td", content));
    return make("tr", { ...handlers, className: isChosen ? "chosen" : "" }, cells);
  }

  get trigger() {
    return this.isOpen && !this.scenes ? (this.evaluation?.trigger ?? null) : null;
  }

  propose(rated) {
    if (this.scenes || !this.board.frame) return;
    const extra = rated ? { propose: rated } : { trigger: this.trigger };
    this.board.show({ ...this.board.frame, falls: [] }, 0, extra);
  }

  chain() {
    this.scenes = this.evaluation.chain_frames;
    this.controls.hidden = true;
    this.controls.after(this.stepperBox);
    this.show.hidden = true;
    this.stepper.reset();
    this.stepper.go(0);
    this.stepperBox.scrollIntoView({ block: "nearest" });
  }

  // Draws a scene of the chain. In the first scene, draws a frame around the trigger, which is the only
  // marked cell.
  showScene(scene, by) {
    setText(this.chainText, scene.text);
    this.board.show(scene, by === 1 ? 160 : 0, scene.step ? {} : { group: scene.marked_cells });
  }

  // Stops showing a chain. `show`: true to show the game again.
  leave(show = true) {
    if (!this.scenes) return;
    this.scenes = null;
    this.controls.hidden = false;
    this.stepperBox.remove();
    this.show.hidden = !this.evaluation?.trigger;
    if (show) this.back();
  }
}
