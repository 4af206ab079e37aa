/** The module as bundlers import it: its address or, in workerd, what was compiled of it. `load` takes both. */
declare const source: string;
export default source;
