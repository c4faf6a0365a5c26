/** Random render graphs on all queues of a device, compared with a sequential model on the host. */
@org.jspecify.annotations.NullMarked
package io.frameloom.stress.gpu.frames;
