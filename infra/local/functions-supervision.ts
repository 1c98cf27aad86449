import type { SampleApplication } from './sample-signature.ts';

/** Where and how the functions are served. */
export type Listening = {
  readonly port: number;
  /** Where AWS's own clients can invoke the functions. */
  readonly lambdaPort: number;
  /** Where their bundles are, from the repository's root. */
  readonly buildFolder: string;
  /** Print each call as well. */
  readonly verbose: boolean;
};

/** With what the functions are served. */
export type Serving = {
  readonly environment: Readonly<Record<string, string>>;
  /** Who signs the calls of the console, where they are signed. */
  readonly application?: SampleApplication | undefined;
};

/** The caller's message to the process that serves the functions. It answers `ready`. */
export type FunctionsOrder =
  | ({ readonly kind: 'prepare' } & Listening)
  /** Follows when there is a database; the settings are on top of those of serverless.yml. */
  | ({ readonly kind: 'serve' } & Serving);

/** The message of that process when the functions answer. */
export type FunctionsNews = { readonly kind: 'ready' };
