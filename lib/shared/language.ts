/** Languages that sentences are written in. */
export const LANGUAGES = ['en', 'zh'] as const;
/** A language that sentences are written in. */
export type Language = (typeof LANGUAGES)[number];
