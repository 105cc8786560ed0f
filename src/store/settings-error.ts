/** A setting holds a value that it cannot have; the message is for the operator. */
export class SettingsError extends Error {}
