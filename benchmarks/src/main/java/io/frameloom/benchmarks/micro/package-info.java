/** JMH benchmarks of single operations. */
@NullMarked
package io.frameloom.benchmarks.micro;

import org.jspecify.annotations.NullMarked;
