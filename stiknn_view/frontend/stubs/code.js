// Starts the page's code once per tab: the modules as they are written. Knows nothing of Streamlit
// but its last line.
const START = 16; // bytes of id
/** @type {Tab} */
export const tab = (window.stiknnTab ??= { id: null, load: null, plotly: null, waiting: new Set() });

/** @param {Uint8Array} bytes */
export async function start(bytes) {
  const id = new TextDecoder().decode(bytes.subarray(0, START));
  if (tab.id === id) return;
  tab.id = id;
  try {
    const sources = JSON.parse(await unpack(bytes.subarray(START)));
    dress(sources);
    tab.load = loader(sources);
  } catch (error) {
    tab.id = null;
    throw error;
  }
  for (const go of tab.waiting) go();
}

async function unpack(packed) {
  const plain = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(plain).text();
}

// Runs plotly.js, once per tab.
/** @param {Uint8Array} packed */
export async function run(packed) {
  if (!window.Plotly) await import(script(await unpack(packed)));
}

// Gives a function that imports one of the modules. Each gets an address of its own, in which
// the relative ones that it imports have become such addresses too.
/** @param {Record<string, string>} sources */
export function loader(sources) {
  const addresses = new Map();
  const address = (path) => {
    if (!addresses.has(path)) {
      const from = (to) => address(new URL(to, `file:///${path}`).pathname.slice(1));
      const source = sources[path].replace(/^(import\b[^"]*)"(\.[^"]*)"/gm, (_, head, to) => `${head}"${from(to)}"`);
      addresses.set(path, script(`${source}\n//# sourceURL=stiknn/${path}`));
    }
    return addresses.get(path);
  };
  return (path) => import(address(path));
}

function script(source) {
  return URL.createObjectURL(new Blob([source], { type: "text/javascript" }));
}

function dress(sources) {
  const sheet = document.getElementById("stiknn-styles") ?? document.createElement("style");
  sheet.id = "stiknn-styles";
  sheet.textContent = Object.keys(sources)
    .filter((path) => path.endsWith(".css"))
    .map((path) => sources[path])
    .join("\n");
  document.head.append(sheet);
}

export default ({ data }) => data && start(data);
