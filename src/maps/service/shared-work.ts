interface Work<T> {
  readonly result: Promise<T>;
  readonly controller: AbortController;
  clients: number;
}

/** Creates what does equal work once for all who ask while it is under way, and gives it up when all of them have gone. */
export function createSharedWork<T>() {
  const underWay = new Map<string, Work<T>>();

  function begin(name: string, work: (signal: AbortSignal) => Promise<T>): Work<T> {
    const controller = new AbortController();
    const begun: Work<T> = {
      controller,
      clients: 0,
      result: work(controller.signal).finally(() => {
        if (underWay.get(name) === begun) underWay.delete(name);
      }),
    };
    begun.result.catch(() => undefined); // whoever is still there hears of it
    underWay.set(name, begun);
    return begun;
  }

  return {
    /** Gives what the work of this name gives. @throws what it throws, or the reason of the client's signal. */
    async once(name: string, work: (signal: AbortSignal) => Promise<T>, signal: AbortSignal): Promise<T> {
      signal.throwIfAborted();
      const shared = underWay.get(name) ?? begin(name, work);
      shared.clients += 1;
      const gone = Promise.withResolvers<never>();
      const leave = () => gone.reject(signal.reason);
      signal.addEventListener('abort', leave, { once: true });
      try {
        return await Promise.race([shared.result, gone.promise]);
      } finally {
        signal.removeEventListener('abort', leave);
        shared.clients -= 1;
        if (shared.clients === 0 && underWay.get(name) === shared) {
          underWay.delete(name);
          shared.controller.abort(new Error('everybody who asked has gone'));
        }
      }
    },
  };
}
