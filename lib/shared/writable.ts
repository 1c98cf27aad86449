/** A type while it is filled in: its fields may be set one after the other. */
export type Writable<One> = { -readonly [Field in keyof One]: One[Field] };
