// For Vite, where the import is the address of the module.
import { load } from "@calrules/calrules";
import address from "@calrules/calrules/calrules.wasm?url";
import { answer } from "./answer.js";

document.body.append(answer(await load(new URL(address, import.meta.url))));
