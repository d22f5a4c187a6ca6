// Both plots, their legends and the caption as one PNG.

import { element } from "../shared/elements.js";
import { inkLegend } from "./legend.js";
import { countAll, matrixTitle, scatterTitle } from "./wording.js";

/** @param {LinkedView} view */
async function composePicture(view) {
  const { matrix, scatter, theme, content } = view;
  const gap = 24;
  const margin = 16;
  const top = margin + 22;
  const { scatter: keys } = view.legends;
  const legendRows = keys.kind === "classes" ? Math.ceil(keys.items.length / 4) : 0;
  const legendHeight = Math.max(48, 18 * legendRows + 8);
  const width = 2 * margin + matrix.size.width + gap + scatter.size.width;
  const plotHeight = Math.max(matrix.size.height, scatter.size.height);
  const canvas = element("canvas");
  const context = canvas.getContext("2d");
  const font = `12px ${theme.font}`;
  context.font = font;
  const lines = wrapText(context, captionOf(view), width - 2 * margin);
  const height = top + plotHeight + legendHeight + 16 * lines.length + 2 * margin;
  canvas.width = 2 * width;
  canvas.height = 2 * height;
  context.scale(2, 2);
  context.font = font;
  context.fillStyle = theme.background;
  context.fillRect(0, 0, width, height);
  let left = margin;
  for (const { panel, title, legend } of [
    { panel: matrix, title: matrixTitle(content, view.order), legend: view.legends.matrix },
    { panel: scatter, title: scatterTitle(content, view.options), legend: view.legends.scatter },
  ]) {
    context.fillStyle = theme.text;
    context.textBaseline = "top";
    context.textAlign = "left";
    context.font = `600 13px ${theme.font}`;
    context.fillText(title, left, margin, panel.size.width);
    context.font = font;
    const url = await Plotly.toImage(panel.parts.graph, { format: "png", scale: 2, ...panel.size });
    const image = Object.assign(new Image(), { src: url });
    await image.decode();
    context.drawImage(image, left, top, panel.size.width, panel.size.height);
    context.save();
    context.translate(left, top);
    panel.ink(context);
    context.restore();
    context.font = font;
    const below = top + plotHeight + 6;
    inkLegend(context, legend, left + panel.margins.l, below, panel.frame.box.width, theme);
    left += panel.size.width + gap;
  }
  context.fillStyle = theme.text;
  context.textAlign = "left";
  lines.forEach((line, i) => context.fillText(line, margin, top + plotHeight + legendHeight + margin + 16 * i));
  return canvas;
}

function captionOf(view) {
  const { content, order, options } = view;
  const plain = `${content.name} · n = ${countAll(content)} · ${options.index} · order: ${order.title}`;
  return options.caption || plain;
}

function wrapText(context, text, width) {
  const lines = [""];
  for (const word of text.split(/\s+/)) {
    const last = lines[lines.length - 1];
    const longer = last ? `${last} ${word}` : word;
    if (last && context.measureText(longer).width > width) lines.push(word);
    else lines[lines.length - 1] = longer;
  }
  return lines;
}

/** @param {LinkedView} view */
export async function downloadPicture(view) {
  const canvas = await composePicture(view);
  const blob = await new Promise((done) => canvas.toBlob(done, "image/png"));
  const link = element("a");
  const name = (view.content.name || "sti-knn").replace(/[^\p{L}\p{N}._-]+/gu, "-").slice(0, 60);
  link.download = `${name}-${view.options.index}-${view.order.name}.png`;
  link.href = URL.createObjectURL(blob);
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}
