// One test point's pattern after the other, until their mean is the matrix.

import { element } from "../shared/elements.js";
import { readTheme } from "../shared/palette.js";
import { fraction, grid, keepFocus, largest, MINUS, paint, press, rich } from "./common.js";

const kept = new WeakMap(); // host -> how many are taken in, and in which order

export function show({ host, data, send }) {
  const here = kept.get(host) ?? { taken: data.taken, sorted: true };
  kept.set(host, here);
  const id = JSON.stringify([data.names, data.means.length, data.means.at(-1)]);
  if (id !== here.id || data.taken === here.told || here.told === undefined) here.taken = data.taken;
  here.id = id;
  here.told = undefined;
  const theme = readTheme(host);
  const range = largest([...data.means, ...data.tests.map((test) => test.matrix)]);
  const root = element("div", "learn");
  root.dataset.testid = "learn-averages";
  const draw = () => {
    keepFocus(root, "does", () => root.replaceChildren(bar(), singles(), meanPart()));
    root.dataset.taken = here.taken;
  };
  const take = (taken) => {
    here.taken = Math.max(1, Math.min(data.tests.length, taken));
    here.told = here.taken;
    draw();
    send("taken", { taken: here.taken, about: data.about });
  };

  function bar() {
    const node = element("div", "learn-bar");
    const one = (text, label, does, act, off) => {
      const button = press(text, label, act);
      button.dataset.does = does;
      button.disabled = off;
      return button;
    };
    const all = data.tests.length;
    const next = one(
      "Take in the next",
      "Take in the next test point",
      "next",
      () => take(here.taken + 1),
      here.taken === all,
    );
    next.classList.add("learn-main");
    node.append(
      next,
      one("Put one back", "Put one back, the last test point", "back", () => take(here.taken - 1), here.taken === 1),
      one("All", "Take in all test points", "all", () => take(all), here.taken === all),
      element("span", "learn-count", `${here.taken} of ${all}`),
    );
    const choice = element("div", "learn-choice");
    choice.setAttribute("role", "group");
    choice.setAttribute("aria-label", "Order of rows and columns of the single matrices");
    for (const [value, text] of [
      [true, "Each by its own distances"],
      [false, "All in one order"],
    ]) {
      const button = one(
        text,
        "",
        `order-${value}`,
        () => {
          here.sorted = value;
          draw();
        },
        false,
      );
      button.setAttribute("aria-pressed", here.sorted === value);
      choice.append(button);
    }
    node.append(choice);
    return node;
  }

  function singles() {
    const node = element("div", "learn-singles");
    data.tests.forEach((test, i) => {
      const waits = i >= here.taken; // without colours until it is taken in
      const figure = element("figure", waits ? "learn-waiting" : "");
      const caption = element("figcaption", "", `T${i + 1} · class ${test.label}${waits ? " · waits" : ""}`);
      const names = here.sorted ? test.names : data.names;
      const texts = here.sorted ? test.sorted : test.matrix;
      const points = here.sorted ? test.order : data.names.map((_, m) => m);
      figure.append(caption, small(names, texts, points, `Interactions for test point T${i + 1}`, waits));
      node.append(figure);
    });
    return node;
  }

  function small(names, texts, points, label, waits) {
    const write = (cell, row, column) => fill(cell, texts, points, row, column, waits);
    return grid(names, label, write, "learn-small");
  }

  function fill(cell, texts, points, row, column, waits) {
    const text = texts[row][column];
    paint(cell, text, range, theme, row === column || waits);
    cell.append(fraction(text));
    const [i, j] = data.pair;
    const same = [points[row], points[column]];
    cell.classList.toggle("learn-chosen", row < column && same.includes(i) && same.includes(j));
  }

  function meanPart() {
    const node = element("div", "learn-mean");
    const texts = data.means[here.taken - 1];
    const points = data.names.map((_, m) => m);
    const taken = data.tests.slice(0, here.taken).map((_, i) => `T${i + 1}`);
    const title = here.taken === 1 ? "T1 alone" : `Mean over ${taken.join(", ")}`;
    const figure = element("figure");
    figure.append(
      element("figcaption", "", title),
      grid(data.names, title, (cell, row, column) => fill(cell, texts, points, row, column)),
    );
    node.append(figure, sum(texts));
    return node;
  }

  function sum(texts) {
    const [i, j] = data.pair;
    const node = element("div", "learn-sum");
    node.setAttribute("aria-live", "polite");
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
}
