package io.frameloom.taskgraph;

/**
 * Where a task runs: on one {@linkplain NamedThread named thread} (its main or its
 * {@linkplain NamedThread.Local local} queue), or on any worker at a {@link WorkerLevel}.
 */
public sealed interface ExecutionTarget permits NamedThread, NamedThread.Local, WorkerLevel {}
