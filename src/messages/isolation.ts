/** Obstacles to a stronger isolation, each with the command that removes it or a place to read on. */
export const isolationAdvice = {
  named: (isolation: string) => ({
    obstacle: `ENGINE_ISOLATION asks for ${isolation}`,
    remedy: 'unset ENGINE_ISOLATION',
  }),
  notInstalled: (hasApt: boolean, isRoot: boolean) => ({
    obstacle: 'bubblewrap is not installed',
    remedy: hasApt ? asRoot('apt-get install -y bubblewrap', isRoot) : 'install the package bubblewrap',
  }),
  kernelSetting: (setting: string, value: string, isRoot: boolean) => ({
    obstacle: `the kernel does not allow user namespaces (${setting})`,
    remedy: asRoot(`sysctl -w ${setting}=${value}`, isRoot),
  }),
  other: (reason: string) => ({
    obstacle: `bubblewrap does not work here (${reason})`,
    remedy: 'see "Stronger isolation" in SECURITY.md',
  }),
};

/** Refuses to start with a weaker isolation than ENGINE_ISOLATION names. */
export function isolationRefused(isolation: string, reason: string, remedy: string | undefined): string {
  const advice = remedy === undefined ? '' : ` To change that: ${remedy}.`;
  return `ENGINE_ISOLATION: ${isolation} does not work here (${reason}).${advice} Without ENGINE_ISOLATION the strongest isolation that works is used.`;
}

function asRoot(command: string, isRoot: boolean): string {
  return isRoot ? command : `sudo ${command}`;
}
