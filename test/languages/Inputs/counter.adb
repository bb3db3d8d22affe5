package body Counter is
   procedure Add (N : Count) is
   begin
      Arithmetic.Atomic_Add (Total, N);
   end Add;

   function Fetch_And_Add (N : Count) return Count is
     (Arithmetic.Atomic_Fetch_And_Add (Total, N));

   function Swap (Old : aliased in out Count; N : Count) return Boolean is
     (Exchange.Atomic_Compare_And_Exchange (Total, Old, N));
end Counter;
