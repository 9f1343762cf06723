/** A state of an automaton of Aho and Corasick ("Efficient string matching", CACM 1975). */
export interface State<TOutput> {
  /** The following state by letter. */
  readonly children: Map<number, State<TOutput>>;
  /** The state to go on from where there is no following one; the root's is itself. */
  readonly failure: State<TOutput>;
  /** What ends here, the longest first. */
  readonly outputs: readonly TOutput[];
}

type Building<TOutput> = { -readonly [key in "failure" | "outputs"]: State<TOutput>[key] } & {
  readonly children: Map<number, Building<TOutput>>;
  readonly own: TOutput[];
};

/**
 * Builds the automaton that finds every entry of a list in one pass, in time linear in the text whatever the text is. Gives its states breadth
 * first, the root first. Letters are numbers of any kind: columns of characters, or whole words.
 */
export function buildStates<TOutput>(
  entries: ReadonlyArray<{ readonly letters: readonly number[]; readonly output: TOutput }>,
): ReadonlyArray<State<TOutput>> {
  const root = newState<TOutput>();
  for (const { letters, output } of entries) {
    let state = root;
    for (const letter of letters) {
      let next = state.children.get(letter);
      if (next === undefined) state.children.set(letter, (next = newState()));
      state = next;
    }
    state.own.push(output);
  }
  root.failure = root;
  root.outputs = root.own;
  const states = [root];
  // A state's failure is shorter than the state, so it is complete before.
  for (const state of states) {
    for (const [letter, child] of state.children) {
      child.failure = state === root ? root : following(state.failure, letter);
      child.outputs = [...child.own, ...child.failure.outputs];
      states.push(child);
    }
  }
  return states;
}

function newState<TOutput>(): Building<TOutput> {
  // The failure is set when the automaton is linked.
  return { children: new Map(), failure: undefined as unknown as State<TOutput>, outputs: [], own: [] };
}

/** The state after a letter. */
export function following<TOutput>(from: State<TOutput>, letter: number): State<TOutput> {
  for (let state = from; ; state = state.failure) {
    const next = state.children.get(letter);
    if (next !== undefined) return next;
    if (state.failure === state) return state;
  }
}
