// The matrix by the definition, whose cells choose a pair, and that pair's terms S by S.

import { button, element } from "../shared/elements.js";
import { readTheme } from "../shared/palette.js";
import { fraction, grid, header, keepFocus, largest, paint, unseen } from "./common.js";

export function show({ host, data, send }) {
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
  const label = "Terms of the pair, subset by subset";
  const scroll = { class: "learn-scroll", tabindex: 0, role: "region", "aria-label": label };
  const root = element("div", { class: "learn", "data-testid": "learn-pairs" });
  root.append(matrix, element("div", scroll, termTable(data)));
  keepFocus(host, "pair", () => host.replaceChildren(root));
}

function termTable(data) {
  const titles = ["S", "weight", "v(Sij) − v(Si) − v(Sj) + v(S) = Δ", "product", "sum so far"];
  const number = (text) => element("td", {}, fraction(text));
  const rows = data.terms.map(({ subset, weight, four, change, product, running }) => {
    const [both, withI, withJ, without] = four.map(fraction);
    const result = element("strong", {}, fraction(change));
    return element(
      "tr",
      change === "0" ? "learn-nothing" : "",
      header(subset, "row"),
      number(weight),
      element("td", "learn-change", both, " − ", withI, " − ", withJ, " + ", without, " = ", result),
      number(product),
      number(running),
    );
  });
  const title = header(`φ of ${data.pair_names.join(" and ")}`, "row");
  title.colSpan = 4;
  const total = element("td", { "data-testid": "learn-total" }, fraction(data.total));
  return element(
    "table",
    "learn-terms",
    element("thead", {}, element("tr", {}, ...titles.map((text) => header(text, "col")))),
    element("tbody", {}, ...rows),
    element("tfoot", {}, element("tr", {}, title, total)),
  );
}
