import { Button } from 'antd';
import { useConfirm } from '../../../ui/use-confirm.ts';
import { useMutationToast } from '../../confirm/use-mutation-toast.ts';

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
  const confirm = useConfirm();
  const toastOutcome = useMutationToast();
  const confirmLeave = () =>
    confirm({
      title: text.leaveTitle(name),
      text: text.leaveText(owner),
      confirm: text.leave,
      onConfirm: () => toastOutcome(leave.mutateAsync(id), text.left(name)),
    });
  return (
    <Button
      type="text"
      size="small"
      loading={leave.isPending}
      onClick={confirmLeave}
      aria-label={text.leaveLabel(name)}
    >
      {text.leave}
    </Button>
  );
}
