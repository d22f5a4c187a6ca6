// The matrix by the definition, beside the board: its cells choose a pair.

import { button, element } from "../shared/elements.js";
import { betweenPresses } from "../shared/hosts.js";
import { readTheme } from "../shared/palette.js";
import { fraction, grid, keepFocus, largest, paint, unseen } from "./common.js";

export const show = betweenPresses(({ host, data, send }) => {
  const theme = readTheme(host);
  const range = largest([data.matrix]);
  const matrix = grid(data.names, "All interactions, by the definition", (cell, row, column) => {
    const text = data.matrix[row][column];
    if (row === column) return cell.append(fraction(text));
    paint(cell, text, range, theme);
    const pair = [data.order[row], data.order[column]];
    const isChosen = data.pair.every((point) => pair.includes(point));
    const said = `Interaction of ${data.names[row]} and ${data.names[column]}: `;
    const given = { class: "learn-cell", "data-pair": pair, "aria-pressed": isChosen };
    cell.append(button(given, () => send("pair", { pair, about: data.about }), unseen(said), fraction(text)));
    cell.classList.toggle("learn-chosen", isChosen);
  });
  const hint = element("div", "learn-under", data.diagonal);
  const root = element("div", { class: "learn learn-wide", "data-testid": "learn-matrix" }, matrix, hint);
  keepFocus(host, "pair", () => host.replaceChildren(root));
});
