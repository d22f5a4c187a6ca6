// A button that copies a link to what is on screen, and says so.
const SAID = 2500; // milliseconds for which it does

export default function ({ parentElement: host, data }) {
  host.stiknnLink = data;
  if (host.querySelector("button")) return;
  const button = document.createElement("button");
  const [icon, words] = [0, 1].map(() => document.createElement("span"));
  button.type = "button";
  button.className = "stiknn-copy";
  icon.className = "stiknn-copy-icon";
  icon.setAttribute("aria-hidden", "true");
  words.className = "stiknn-copy-words";
  words.setAttribute("aria-live", "polite");
  button.append(icon, words);
  host.append(button);
  const say = (sign, text, news = true) => {
    icon.textContent = sign;
    words.textContent = text;
    button.setAttribute("aria-label", text); // without the sign, which is a word to a machine
    button.classList.toggle("stiknn-copy-news", news);
  };
  const rest = () => {
    button.title = host.stiknnLink.label;
    say("link", host.stiknnLink.label, false);
  };
  let later = 0;
  button.onclick = async () => {
    const link = linkOf(host.stiknnLink);
    clearTimeout(later);
    try {
      await navigator.clipboard.writeText(link);
      say("check", host.stiknnLink.told);
      later = setTimeout(rest, SAID);
    } catch {
      show(host, link);
    }
  };
  rest();
}

// What is selected is asked of the picture: Python may not have heard of it yet.
function linkOf({ query, most }) {
  const link = new URL(location.href);
  link.hash = "";
  link.search = query;
  /** @type {HTMLElement | null} */
  const picture = document.querySelector('[data-testid="linked-view"][data-kind="points"]');
  const { rows = [], cols = [] } = picture?.stiknnView?.model.current ?? {};
  const count = new Set([...rows, ...cols]).size;
  if (!count || count > most) return link.href;
  const sides = `${rows}` === `${cols}` ? [rows] : [rows, cols];
  return `${link.href}${link.search ? "&" : "?"}selected=${sides.map(ranges).join("x")}`;
}

// 3, 4, 5, 9 -> "3-5,9"
function ranges(ids) {
  const runs = [];
  for (const id of ids) {
    if (id === runs.at(-1)?.[1] + 1) runs.at(-1)[1] = id;
    else runs.push([id, id]);
  }
  return runs.map(([low, high]) => (low === high ? low : `${low}-${high}`)).join(",");
}

// Where the browser lets nobody write to the clipboard: the link itself, ready to be copied by hand.
function show(host, link) {
  const field = host.querySelector("input") ?? document.createElement("input");
  field.className = "stiknn-copy-field";
  field.readOnly = true;
  field.setAttribute("aria-label", "Link to this page: copy it by hand");
  field.value = link;
  host.append(field);
  field.focus();
  field.select();
}
