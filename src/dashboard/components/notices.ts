/** What a page says after a redirect: fixed words, chosen by the address and never taken from it. */
export const notices: Readonly<Record<string, string>> = {
  saved: "Saved. The next request uses it.",
  created: "Created.",
  duplicated: "Duplicated, without its keys: make it one of its own.",
  deleted: "Deleted.",
  forgotten: "Forgotten. Counting begins anew.",
  revoked: "Revoked. The next request with that key is refused.",
  connected: "Connected.",
  imported: "The configuration was replaced.",
  elsewhere: "Every other session was ended.",
};
