import psList from 'ps-list';

/** A process of this machine: its number, its parent's, and its command line. */
export type Process = { readonly pid: number; readonly parent: number; readonly line: string };

async function allProcesses(): Promise<readonly Process[]> {
  const found = await psList();
  return found
    .map(({ pid, ppid, cmd = '' }) => ({ pid, parent: ppid, line: cmd }))
    .sort((one, other) => one.pid - other.pid);
}

export async function processesWith(text: string): Promise<readonly Process[]> {
  return (await allProcesses()).filter(({ line }) => line.includes(text));
}

/** A process's children, grandchildren and so on, the oldest first. */
export async function descendantsOf(pid: number | undefined): Promise<readonly Process[]> {
  const all = await allProcesses();
  const found: Process[] = [];
  const parents = pid === undefined ? [] : [pid];
  for (const parent of parents)
    for (const each of all.filter((process) => process.parent === parent)) {
      found.push(each);
      parents.push(each.pid);
    }
  return found;
}
