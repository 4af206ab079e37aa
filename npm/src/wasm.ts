/** The module as imported by bundlers: its address or, in workerd, the compiled module. `load` accepts either. */
declare const source: string;
export default source;
