// What dragging does and draws, the same for all views of this tab.

export const settings = { mode: "select", shape: "lasso" };
