// Why games failed, with the standard error of their bots.

import { make } from "./dom.js";
import { failureText } from "./standings.js";

const shown = new WeakMap(); // the texts in each box

// Describes the failed games among plans, each after its label. Keeps details unfolded if nothing changed.
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
