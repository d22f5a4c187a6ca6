// A pair's terms, S by S.

import { element } from "../shared/elements.js";
import { bracketed, fraction, header } from "./common.js";

export function show({ host, data }) {
  const label = "Terms of the pair, subset by subset";
  const scroll = { class: "learn-scroll", tabindex: 0, role: "region", "aria-label": label };
  const root = element("div", { class: "learn", "data-testid": "learn-pairs" });
  root.append(element("div", scroll, termTable(data)));
  host.replaceChildren(root);
}

function termTable(data) {
  const titles = ["S", "weight", "v(Sij) − v(Si) − v(Sj) + v(S) = Δ", "product", "sum so far"];
  const number = (text) => element("td", {}, fraction(text));
  const rows = data.terms.map(({ subset, weight, four, change, product, running }) => {
    const [both, ...rest] = four;
    const [withI, withJ, without] = rest.map(bracketed);
    const result = element("strong", {}, fraction(change));
    return element(
      "tr",
      change === "0" ? "learn-nothing" : "",
      header(subset, "row"),
      number(weight),
      element("td", "learn-change", fraction(both), " − ", withI, " − ", withJ, " + ", without, " = ", result),
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
