/** Named threads: their lanes and pumps. */
@NullMarked
package io.frameloom.taskgraph.named;

import org.jspecify.annotations.NullMarked;
