with System.Atomic_Operations.Exchange;
with System.Atomic_Operations.Integer_Arithmetic;

package Counter is
   type Count is new Integer with Atomic;
   package Arithmetic is
     new System.Atomic_Operations.Integer_Arithmetic (Count);
   package Exchange is new System.Atomic_Operations.Exchange (Count);

   Total : aliased Count := 0;

   procedure Add (N : Count);
   function Fetch_And_Add (N : Count) return Count;
   function Swap (Old : aliased in out Count; N : Count) return Boolean;
end Counter;
