// For bundlers and runtimes that find the module automatically: webpack, Vite, Node, Deno and Bun.
import { load } from "@calrules/calrules";
import { answer } from "./answer.js";

const text = answer(await load());
console.log(text);
globalThis.document?.body.append(text);
