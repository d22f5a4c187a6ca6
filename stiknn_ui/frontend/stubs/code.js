// Runs the view's own code, then plotly.js, once per tab.
const START = 20; // 16 bytes of id, 4 of length

async function run(packed) {
  const plain = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  const script = new Blob([await new Response(plain).arrayBuffer()], { type: "text/javascript" });
  const url = URL.createObjectURL(script);
  await new Promise((done, failed) => {
    const tag = document.createElement("script");
    tag.src = url;
    tag.onload = done;
    tag.onerror = () => failed(new Error("The picture's code could not be started."));
    document.head.append(tag);
  });
  URL.revokeObjectURL(url);
}

export default async function ({ data }) {
  if (!data) return;
  const id = new TextDecoder().decode(data.subarray(0, 16));
  if (hub.codeId === id) return;
  hub.codeId = id;
  try {
    const length = new DataView(data.buffer, data.byteOffset).getUint32(16, true);
    let arrived;
    hub.plotly = new Promise((done) => (arrived = done));
    await run(data.subarray(START, START + length));
    wake();
    // Two tasks later the first picture is on screen, if its content was there.
    await new Promise((done) => setTimeout(() => setTimeout(done, 30), 0));
    if (!window.Plotly) await run(data.subarray(START + length));
    arrived();
  } catch (error) {
    hub.codeId = null;
    throw error;
  }
}
