// One test point's pattern after the other, until their mean is the matrix.

import { element } from "../shared/elements.js";
import { betweenPresses } from "../shared/hosts.js";
import { readTheme } from "../shared/palette.js";
import { fraction, grid, keepFocus, largest, MINUS, paint, press, rich } from "./common.js";

const kept = new WeakMap(); // host -> how many are taken in, and in which order

export const show = betweenPresses(({ host, data, send }) => {
  const here = kept.get(host) ?? { taken: data.taken, sorted: true };
  kept.set(host, here);
  const id = JSON.stringify([data.names, data.means.length, data.means.at(-1)]);
  if (id !== here.id || data.taken === here.told || here.told === undefined) here.taken = data.taken;
  here.id = id;
  here.told = undefined;
  const theme = readTheme(host);
  const range = largest([...data.means, ...data.tests.map((test) => test.matrix)]);
  const all = data.tests.length;
  const common = data.names.map((_, i) => i); // the order of the points themselves
  const root = element("div", { class: "learn", "data-testid": "learn-averages" });
  const draw = () => {
    keepFocus(root, "does", () => root.replaceChildren(bar(), singles(), mean()));
    root.dataset.taken = here.taken;
  };
  const take = (taken) => {
    here.taken = here.told = Math.max(1, Math.min(all, taken));
    draw();
    send("taken", { taken: here.taken, about: data.about });
  };

  function bar() {
    const one = (text, label, does, act) => {
      const button = press(text, label, act);
      button.dataset.does = does;
      return button;
    };
    const next = one("Take in the next", "Take in the next test point", "next", () => take(here.taken + 1));
    const back = one("Put one back", "Put one back, the last test point", "back", () => take(here.taken - 1));
    const whole = one("All", "Take in all test points", "all", () => take(all));
    next.classList.add("learn-main");
    next.disabled = whole.disabled = here.taken === all;
    back.disabled = here.taken === 1;
    const order = (sorted, text) => {
      const choose = () => {
        here.sorted = sorted;
        draw();
      };
      const button = one(text, "", `order-${sorted}`, choose);
      button.setAttribute("aria-pressed", here.sorted === sorted);
      return button;
    };
    const label = "Order of rows and columns of the single matrices";
    const group = { class: "learn-choice", role: "group", "aria-label": label };
    const orders = element("div", group, order(true, "Each by its own distances"), order(false, "All in one order"));
    return element(
      "div",
      "learn-bar",
      next,
      back,
      whole,
      element("span", "learn-count", `${here.taken} of ${all}`),
      orders,
    );
  }

  function singles() {
    const figures = data.tests.map((test, i) => {
      const waits = i >= here.taken; // without colours until it is taken in
      const title = `T${i + 1} · ${data.called} ${test.label}${waits ? " · waits" : ""}`;
      const label = `Interactions for test point T${i + 1}`;
      const [texts, points] = here.sorted ? [test.sorted, test.order] : [test.matrix, common];
      const small = matrix(texts, points, label, "learn-small", waits);
      return element("figure", waits ? "learn-waiting" : "", element("figcaption", {}, title), small);
    });
    return element("div", "learn-singles", ...figures);
  }

  // points = which point stands in which row and column.
  function matrix(texts, points, label, className, waits) {
    const names = points.map((point) => data.names[point]);
    const fill = (cell, row, column) => {
      const text = texts[row][column];
      if (row !== column && !waits) paint(cell, text, range, theme);
      cell.append(fraction(text));
      const same = data.pair.every((point) => point === points[row] || point === points[column]);
      cell.classList.toggle("learn-chosen", row < column && same);
    };
    return grid(names, label, fill, className);
  }

  function mean() {
    const texts = data.means[here.taken - 1];
    const taken = data.tests.slice(0, here.taken).map((_, i) => `T${i + 1}`);
    const title = here.taken === 1 ? "T1 alone" : `Mean over ${taken.join(", ")}`;
    const figure = element("figure", {}, element("figcaption", {}, title), matrix(texts, common, title));
    return element("div", "learn-mean", figure, sum(texts));
  }

  function sum(texts) {
    const [i, j] = data.pair;
    const node = element("div", { class: "learn-sum", "aria-live": "polite" });
    node.append(rich(`φ_{${data.pair_names.join(", ")}} = `));
    if (here.taken > 1) {
      node.append(rich(`{1|${here.taken}} ( `));
      data.tests.slice(0, here.taken).forEach((test, m) => {
        const text = test.matrix[i][j];
        if (m) node.append(text.startsWith("-") ? ` ${MINUS} ` : " + ");
        node.append(fraction(m ? text.replace("-", "") : text));
      });
      node.append(" ) = ");
    }
    const value = fraction(texts[i][j]);
    value.dataset.testid = "learn-mean-value";
    node.append(value);
    return node;
  }

  host.replaceChildren(root);
  draw();
});
