package io.frameloom.rdg.parameter;

import io.frameloom.gpu.command.LoadOp;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The next colour attachment of the pass, in the order of the components. It is a texture (its mip 0 of layer 0), a
 * view of one mip with as many layers as the other attachments, or a list of them.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.RECORD_COMPONENT)
public @interface ColorAttachment {
    /** Returns what becomes of the old contents. */
    LoadOp load() default LoadOp.LOAD;

    /** Returns the colour of {@link LoadOp#CLEAR}: red, green, blue, alpha. */
    double[] clear() default {0, 0, 0, 0};

    /** Returns whether shaders read it as an input attachment and nothing writes it; the others do not count then. */
    boolean readOnly() default false;
}
