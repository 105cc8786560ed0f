/** The name under which a model may be told outside the workspace. */

/** `<connection>/<model>`, or `<connection>/*` where the name may be a client's own text. */
export function namedModel(id: string, isNamed: (id: string) => boolean): string {
  return isNamed(id) ? id : `${id.slice(0, Math.max(0, id.indexOf("/")))}/*`;
}
