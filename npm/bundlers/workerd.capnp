using Workerd = import "/workerd/workerd.capnp";

const config :Workerd.Config = (
  services = [(name = "main", worker = .worker)],
  sockets = [(name = "http", http = (), service = "main")],
);

const worker :Workerd.Worker = (
  modules = [
    (name = "worker", esModule = embed "out/workerd/worker.js"),
    (name = "calrules.wasm", wasm = embed "out/workerd/calrules.wasm"),
  ],
  compatibilityDate = "2026-01-01",
);
