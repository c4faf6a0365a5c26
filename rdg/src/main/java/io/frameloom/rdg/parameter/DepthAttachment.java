package io.frameloom.rdg.parameter;

import io.frameloom.gpu.command.LoadOp;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The depth attachment of the pass. It is a texture (its mip 0 of layer 0) or a view of one mip with as many layers as
 * the other attachments.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.RECORD_COMPONENT)
public @interface DepthAttachment {
    /** Returns what becomes of the old contents. */
    LoadOp load() default LoadOp.LOAD;

    /** Returns the depth of {@link LoadOp#CLEAR}, 0 to 1. */
    float clear() default 0;

    /** Returns whether depth is tested but not written; it is loaded then. */
    boolean readOnly() default false;
}
