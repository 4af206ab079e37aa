// A worker has no files, so it is given the module. Its runtime refuses random bytes outside of a request.
import { load } from "@calrules/calrules";
import wasm from "./calrules.wasm";
import { answer } from "./answer.js";

let calrules;

export default {
  async fetch() {
    calrules ??= load(wasm);
    return new Response(answer(await calrules));
  },
};
