// What the page asks of the server. A failure is told, never taken for a saved label.

export const review = () => ask("api/review");
export const item = (task, place) => ask(`api/tasks/${task}/items/${place}`);
export const results = (task) => ask(`api/tasks/${task}/results`);
export const label = (task, place, body) => tell(`api/tasks/${task}/items/${place}/label`, body);
export const settle = (task, place, body) => tell(`api/tasks/${task}/items/${place}/settle`, body);
export const undo = (task) => tell(`api/tasks/${task}/undo`, {});

function tell(address, value) {
  return ask(address, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(value),
    keepalive: true, // it arrives even if the page is closed
  });
}

async function ask(address, options = {}) {
  let reply;
  try {
    reply = await fetch(address, options);
  } catch {
    throw new Error("The review server cannot be reached; this was not saved. Is it still running?");
  }
  const value = await reply.json().catch(() => ({ error: `The server answered ${reply.status}.` }));
  if (!reply.ok) throw new Error(`Not done: ${value.error}`);
  return value;
}
