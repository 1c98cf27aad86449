/** JSON before it becomes text. */
export type Json = string | number | boolean | null | readonly Json[] | JsonObject;

/** An object in an answer; a member that is undefined is left out when it becomes text. */
export type JsonObject = { readonly [name: string]: Json | undefined };
