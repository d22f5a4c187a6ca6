// What the linked view shows, until the next contents come; payload.js turns bytes into arrays.

import { holding } from "../shared/held.js";
import { parseContent } from "./payload.js";

export const { show, heldContent, onContent } = holding(parseContent);
