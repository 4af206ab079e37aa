// For esbuild with --loader:.wasm=file, where the import is the file name of the copy.
import { load } from "@calrules/calrules";
import wasm from "@calrules/calrules/calrules.wasm";
import { answer } from "./answer.js";

const text = answer(await load(new URL(wasm, import.meta.url)));
console.log(text);
globalThis.document?.body.append(text);
