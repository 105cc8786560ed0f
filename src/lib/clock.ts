/** Time as a value that is passed in, so that rules stay pure. Milliseconds since the epoch. */
export type Clock = () => number;
