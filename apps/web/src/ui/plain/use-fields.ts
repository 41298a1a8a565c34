import { type ChangeEvent, useState } from 'react';

type Messages<Name extends string> = Partial<Record<Name, string | undefined>>;

/** The texts of a form's fields, and what is wrong with each. */
export function useFields<Name extends string>(initial: Record<Name, string>) {
  const [values, setValues] = useState(initial);
  const [problems, setProblems] = useState<Messages<Name>>({});

  /** Replaces the messages of these fields; undefined removes one. */
  function report(found: Messages<Name>): void {
    setProblems((others) => ({ ...others, ...found }));
  }
  function change(name: Name, value: string): void {
    setValues((others) => ({ ...others, [name]: value }));
    setProblems((others) => ({ ...others, [name]: undefined }));
  }
  /** Shows these messages. True when there are none. */
  function check(found: Messages<Name>): boolean {
    report(found);
    return Object.values(found).every((message) => message === undefined);
  }
  /** What a `PlainField` needs. */
  function field(name: Name) {
    return {
      name,
      value: values[name],
      error: problems[name],
      onChange: (event: ChangeEvent<HTMLInputElement>) => change(name, event.currentTarget.value),
    };
  }
  return { values, change, report, check, field };
}
