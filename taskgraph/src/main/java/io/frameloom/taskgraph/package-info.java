/**
 * The task graph: named threads, prioritised workers, and events that tie tasks together.
 *
 * <p>Start at {@link io.frameloom.taskgraph.TaskGraph}. Launch work with {@link io.frameloom.taskgraph.TaskGraph#task},
 * order it with {@link io.frameloom.taskgraph.TaskBuilder#after}, place it with {@link
 * io.frameloom.taskgraph.TaskBuilder#on}, and wait for it with {@link io.frameloom.taskgraph.GraphEvent#await()}. A
 * task for a named thread runs when that thread pumps: {@link io.frameloom.taskgraph.TaskGraph#start} and {@link
 * io.frameloom.taskgraph.TaskGraph#attach}. A graph that has the same shape every time is built once with {@link
 * io.frameloom.taskgraph.TaskGraph#graphBuilder} and run again and again.
 *
 * <p>Unless a method says otherwise any thread may call it. Everything that a thread did before it dispatched a task,
 * triggered an event or finished a prerequisite happens-before the body of every task after that.
 */
@NullMarked
package io.frameloom.taskgraph;

import org.jspecify.annotations.NullMarked;
