import { ConfirmedButton } from '../../confirm/confirmed-button.tsx';

type LeaveButtonProps = {
  shared: { id: number; name: string; owner: string };
  text: {
    leave: string;
    leaveLabel: (name: string) => string;
    leaveTitle: (name: string) => string;
    leaveText: (owner: string) => string;
    left: (name: string) => string;
  };
  leave: { mutateAsync: (id: number) => Promise<unknown>; isPending: boolean };
};

/** Ends one's membership in what somebody else has shared, after a question. */
export function LeaveButton({ shared: { id, name, owner }, text, leave }: LeaveButtonProps) {
  return (
    <ConfirmedButton
      type="text"
      size="small"
      question={{ title: text.leaveTitle(name), text: text.leaveText(owner), confirm: text.leave }}
      run={() => leave.mutateAsync(id)}
      isRunning={leave.isPending}
      done={text.left(name)}
      aria-label={text.leaveLabel(name)}
    />
  );
}
