// For everything that finds the module by itself: webpack, Vite, Node, Deno and Bun.
import { load } from "@calrules/calrules";
import { answer } from "./answer.js";

const text = answer(await load());
console.log(text);
globalThis.document?.body.append(text);
