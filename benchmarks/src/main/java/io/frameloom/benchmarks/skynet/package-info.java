/** Shape: a tree in which each task spawns ten others and adds up what they return. */
@NullMarked
package io.frameloom.benchmarks.skynet;

import org.jspecify.annotations.NullMarked;
