// The matrix by the definition, whose cells choose a pair, and that pair's terms S by S.

import { element } from "../shared/elements.js";
import { readTheme } from "../shared/palette.js";
import { fraction, grid, header, keepFocus, largest, paint, press, unseen } from "./common.js";

export function show({ host, data, send }) {
  const theme = readTheme(host);
  const range = largest([data.matrix]);
  const root = element("div", "learn");
  root.dataset.testid = "learn-pairs";
  const at = data.pair.map((point) => data.order.indexOf(point));
  const chosen = (r, c) => (r === at[0] && c === at[1]) || (r === at[1] && c === at[0]);
  const matrix = grid(data.names, "All interactions, by the definition", (cell, row, column) => {
    const text = data.matrix[row][column];
    paint(cell, text, range, theme, row === column);
    if (row === column) return cell.append(fraction(text));
    const [i, j] = [data.order[row], data.order[column]];
    const button = press("", "", () => send("pair", { pair: [i, j], about: data.about }));
    button.dataset.pair = `${i},${j}`;
    button.className = "learn-cell";
    button.setAttribute("aria-pressed", chosen(row, column));
    const said = `Interaction of ${data.names[row]} and ${data.names[column]}: `;
    button.append(unseen(said), fraction(text));
    cell.append(button);
    cell.classList.toggle("learn-chosen", chosen(row, column));
  });
  const scroll = element("div", "learn-scroll");
  scroll.tabIndex = 0;
  scroll.setAttribute("role", "region");
  scroll.setAttribute("aria-label", "Terms of the pair, subset by subset");
  scroll.append(termTable(data));
  root.append(matrix, scroll);
  keepFocus(host, "pair", () => host.replaceChildren(root));
}

function termTable(data) {
  const [i, j] = data.pair_names;
  const table = element("table", "learn-terms");
  const head = element("tr");
  const titles = ["S", "weight", "v(Sij) − v(Si) − v(Sj) + v(S) = Δ", "product", "sum so far"];
  for (const title of titles) head.append(header(title, "col"));
  const top = element("thead");
  top.append(head);
  const body = element("tbody");
  for (const term of data.terms) {
    const row = element("tr", term.change === "0" ? "learn-nothing" : "");
    row.append(header(term.subset, "row"));
    row.append(filled(fraction(term.weight)));
    const change = element("td", "learn-change");
    const [both, withI, withJ, without] = term.four.map(fraction);
    change.append(both, " − ", withI, " − ", withJ, " + ", without, " = ");
    const result = element("strong");
    result.append(fraction(term.change));
    change.append(result);
    row.append(change, filled(fraction(term.product)), filled(fraction(term.running)));
    body.append(row);
  }
  const foot = element("tfoot");
  const last = element("tr");
  const title = header(`φ of ${i} and ${j}`, "row");
  title.colSpan = 4;
  last.append(title);
  const total = filled(fraction(data.total));
  total.dataset.testid = "learn-total";
  last.append(total);
  foot.append(last);
  table.append(top, body, foot);
  return table;
}

export function filled(node) {
  const cell = element("td");
  cell.append(node);
  return cell;
}
