import { readFileSync } from 'node:fs';

/** Whether a process with this number runs, of any user. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: it runs and belongs to somebody else. Node's errors of system calls carry a code.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/**
 * A text that differs for two processes that had the same number one after the other: the boot and
 * the tick at which the process started. Empty where the system does not tell (not Linux).
 */
export function readStart(pid: number): string {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The second field is the program's name in brackets and may hold anything; count behind it.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return `${boot}/${fields[19] ?? ''}`;
  } catch {
    return '';
  }
}
