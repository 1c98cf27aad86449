/** Installs what the console's build and its tests need, by one process at a time. */

/** Does something while no other process installs or builds in a folder. */
export function inTurn<T>(folder: string, work: () => Promise<T>): Promise<T>;

/** Installs what is missing, by the folder's lockfile; call it in turn. */
export function installMissing(
  folder: string,
  how: { readonly forTests: boolean; readonly run?: (parameters: string[]) => Promise<void> },
): Promise<void>;

/** npm's own JavaScript: of the npm that runs this, or the one beside this Node. */
export function npmProgram(): string;
