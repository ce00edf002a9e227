// Explains why games failed, and shows the standard error of their bots.

import { make } from "./dom.js";
import { failureText, pointsText } from "./standings.js";

const shown = new WeakMap(); // what each box shows, as JSON

// Adds the failure of a game to its last frame, and returns other frames unchanged. The engine itself
// explains an invalid plan.
export function withFailure(frame, plan) {
  const isOther = frame.stage === "ended" && plan.failure && plan.failure !== "invalid";
  return isOther ? { ...frame, end_reason: pointsText(plan), text: `${pointsText(plan)}.` } : frame;
}

// Shows in a box why plans failed, each reason after the plan's label. Does not redraw an unchanged box, so
// that the standard error stays open if the user has opened it.
export function drawFailures(box, plans, labels) {
  const texts = plans.map((plan, i) => failureText(plan) && `${labels[i]}${failureText(plan)}`);
  const key = JSON.stringify([texts, plans.map(({ stderr }) => stderr)]);
  if (shown.get(box) === key) return;
  shown.set(box, key);
  const items = plans.flatMap(({ stderr }, i) => {
    if (!texts[i]) return [];
    const output = stderr && make("details", make("summary", "Standard error"), make("pre", stderr));
    return [make("p", texts[i]), output].filter(Boolean);
  });
  box.replaceChildren(...items);
  box.hidden = !items.length;
}
